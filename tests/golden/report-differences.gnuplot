unset key
set border 0
unset ytics
set xtics scale 0 nomirror textcolor rgb '#5b6570'
set grid xtics back linetype 1 linewidth 1 linecolor rgb '#dfe3e8'
set style fill solid 1.0 noborder
set lmargin at screen 0.2221
set rmargin at screen 0.7326
set tmargin at screen 0.9677
set bmargin at screen 0.2419
set yrange [5.5:0.5]
set logscale x
set xrange [0.198233:1.65697]
set xtics ('0 %%' 1, '−30 %%' 0.7, '−50 %%' 0.5, '−70 %%' 0.3, '−80 %%' 0.2, '+50 %%' 1.5)
set xlabel 'time against “start of the HDD”' offset 0,0.4 textcolor rgb '#5b6570'
set object rectangle from 0.98, graph 0 to 1.02, graph 1 back fillcolor rgb '#efe7d2' fillstyle solid noborder
set arrow from 1, graph 0 to 1, graph 1 nohead back linewidth 1.5 linecolor rgb '#5b6570'
set label 'RAM only' at screen 0.2081, first 1 right front textcolor rgb '#1d2228'
set label '−78.9 %  faster' at screen 0.7465, first 1 left front textcolor rgb '#1d2228'
set label 'second drive' at screen 0.2081, first 2 right front textcolor rgb '#1d2228'
set label '−30 %  faster' at screen 0.7465, first 2 left front textcolor rgb '#1d2228'
set label 'swap file by fallocate' at screen 0.2081, first 3 right front textcolor rgb '#1d2228'
set label '+0.1 %  equivalent' at screen 0.7465, first 3 left front textcolor rgb '#1d2228'
set label 'swap file by dd' at screen 0.2081, first 4 right front textcolor rgb '#1d2228'
set label '+8.8 %  slower' at screen 0.7465, first 4 left front textcolor rgb '#1d2228'
set label 'end of the HDD' at screen 0.2081, first 5 right front textcolor rgb '#1d2228'
set label '+55.7 %  no verdict: position' at screen 0.7465, first 5 left front textcolor rgb '#1d2228'
$layer1 << END
0.2083815775 1 0.005883779711 0
END
$layer2 << END
0.2113029889 1
END
$layer3 << END
0.6390098575 2 0.1291869065 0
END
$layer4 << END
0.7006320751 2
END
$layer5 << END
0.9904649985 3 0.02147064442 0
END
$layer6 << END
1.001142765 3
END
$layer7 << END
1.083520779 4 0.008147392284 0
END
$layer8 << END
1.087586846 4
END
$layer9 << END
1.53731423 5 0.03896551586 0
END
$layer10 << END
1.556675074 5
END
plot $layer1 using 1:2:3:4 with vectors nohead linewidth 2.5 linecolor rgb '#17754a', \
     $layer2 using 1:2 with points pointtype 7 pointsize 1.3 linecolor rgb '#17754a', \
     $layer3 using 1:2:3:4 with vectors nohead linewidth 2.5 linecolor rgb '#17754a', \
     $layer4 using 1:2 with points pointtype 7 pointsize 1.3 linecolor rgb '#17754a', \
     $layer5 using 1:2:3:4 with vectors nohead linewidth 2.5 linecolor rgb '#6a737e', \
     $layer6 using 1:2 with points pointtype 7 pointsize 1.3 linecolor rgb '#6a737e', \
     $layer7 using 1:2:3:4 with vectors nohead linewidth 2.5 linecolor rgb '#b03030', \
     $layer8 using 1:2 with points pointtype 7 pointsize 1.3 linecolor rgb '#b03030', \
     $layer9 using 1:2:3:4 with vectors nohead linewidth 2.5 linecolor rgb '#6a737e', \
     $layer10 using 1:2 with points pointtype 7 pointsize 1.3 linecolor rgb '#6a737e'
