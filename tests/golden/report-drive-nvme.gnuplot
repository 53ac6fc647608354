unset key
set border 0
unset ytics
set xtics scale 0 nomirror textcolor rgb '#5b6570'
set grid xtics back linetype 1 linewidth 1 linecolor rgb '#dfe3e8'
set style fill solid 1.0 noborder
set lmargin at screen 0.1337
set rmargin at screen 0.9767
set tmargin at screen 0.9452
set bmargin at screen 0.3973
set yrange [2.5:0.5]
set xrange [0:2048]
set xlabel 'MiB from the start of the drive' offset 0,0.4 textcolor rgb '#5b6570'
set label 'partitions' at screen 0.1198, first 1 right front textcolor rgb '#5b6570'
set label 'swap' at first 513, first 1 center front textcolor rgb '#1d2228'
set label 'second drive' at screen 0.1198, first 2 right front textcolor rgb '#1d2228'
$layer1 << END
1 1 1 1025 0.68 1.32
END
$layer2 << END
0 2 2048 0
END
$layer3 << END
1 2 1 1025 1.74 2.26
END
plot $layer1 using 1:2:3:4:5:6 with boxxyerror fillstyle solid 1.0 border rgb '#5b6570' fillcolor rgb '#efe7d2', \
     $layer2 using 1:2:3:4 with vectors nohead linewidth 1 linecolor rgb '#dfe3e8', \
     $layer3 using 1:2:3:4:5:6 with boxxyerror fillstyle solid 1.0 noborder linecolor rgb '#d4731a'
