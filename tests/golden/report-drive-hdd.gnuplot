unset key
set border 0
unset ytics
set xtics scale 0 nomirror textcolor rgb '#5b6570'
set grid xtics back linetype 1 linewidth 1 linecolor rgb '#dfe3e8'
set style fill solid 1.0 noborder
set lmargin at screen 0.2221
set rmargin at screen 0.9767
set tmargin at screen 0.9739
set bmargin at screen 0.1895
set yrange [6.5:0.5]
set xrange [0:16]
set xlabel 'GiB from the start of the drive' offset 0,0.4 textcolor rgb '#5b6570'
set label 'partitions' at screen 0.2081, first 1 right front textcolor rgb '#5b6570'
set label 'boot' at first 0.5009765625, first 1 center front textcolor rgb '#1d2228'
set label 'root' at first 8.5, first 1 center front textcolor rgb '#1d2228'
set label 'the root’s files' at screen 0.2081, first 2 right front textcolor rgb '#5b6570'
set label 'start of the HDD' at screen 0.2081, first 3 right front textcolor rgb '#1d2228'
set label 'swap file by fallocate' at screen 0.2081, first 4 right front textcolor rgb '#1d2228'
set label 'swap file by dd' at screen 0.2081, first 5 right front textcolor rgb '#1d2228'
set label 'end of the HDD' at screen 0.2081, first 6 right front textcolor rgb '#1d2228'
$layer1 << END
0.0009765625 1 0.0009765625 1.000976562 0.68 1.32
2.000976562 1 2.000976562 14.99902344 0.68 1.32
END
$layer2 << END
1.000976562 1 1.000976562 2.000976562 0.68 1.32
14.99902344 1 14.99902344 15.99902344 0.68 1.32
END
$layer3 << END
2 2 2 2.066666667 2.3525 2.4
2.066666667 2 2.066666667 2.133333333 1.64 2.4
2.133333333 2 2.133333333 2.2 1.7825 2.4
5 2 5 5.066666667 2.04375 2.4
9 2 9 9.066666667 2.221875 2.4
END
$layer4 << END
0 3 16 0
END
$layer5 << END
1.000976562 3 1.000976562 2.000976562 2.74 3.26
END
$layer6 << END
0 4 16 0
END
$layer7 << END
3 4 3 3.68359375 3.74 4.26
4 4 4 4.31640625 3.74 4.26
END
$layer8 << END
0 5 16 0
END
$layer9 << END
3 5 3 3.68359375 4.74 5.26
4 5 4 4.31640625 4.74 5.26
END
$layer10 << END
0 6 16 0
END
$layer11 << END
14.99902344 6 14.99902344 15.99902344 5.74 6.26
END
plot $layer1 using 1:2:3:4:5:6 with boxxyerror fillstyle solid 1.0 border rgb '#5b6570' fillcolor rgb '#e7ebf0', \
     $layer2 using 1:2:3:4:5:6 with boxxyerror fillstyle solid 1.0 border rgb '#5b6570' fillcolor rgb '#efe7d2', \
     $layer3 using 1:2:3:4:5:6 with boxxyerror fillstyle solid 1.0 noborder linecolor rgb '#75889d', \
     $layer4 using 1:2:3:4 with vectors nohead linewidth 1 linecolor rgb '#dfe3e8', \
     $layer5 using 1:2:3:4:5:6 with boxxyerror fillstyle solid 1.0 noborder linecolor rgb '#d4731a', \
     $layer6 using 1:2:3:4 with vectors nohead linewidth 1 linecolor rgb '#dfe3e8', \
     $layer7 using 1:2:3:4:5:6 with boxxyerror fillstyle solid 1.0 noborder linecolor rgb '#d4731a', \
     $layer8 using 1:2:3:4 with vectors nohead linewidth 1 linecolor rgb '#dfe3e8', \
     $layer9 using 1:2:3:4:5:6 with boxxyerror fillstyle solid 1.0 noborder linecolor rgb '#d4731a', \
     $layer10 using 1:2:3:4 with vectors nohead linewidth 1 linecolor rgb '#dfe3e8', \
     $layer11 using 1:2:3:4:5:6 with boxxyerror fillstyle solid 1.0 noborder linecolor rgb '#d4731a'
