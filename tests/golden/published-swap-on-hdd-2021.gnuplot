unset key
set border 0
unset ytics
set xtics scale 0 nomirror textcolor rgb '#5b6570'
set grid xtics back linetype 1 linewidth 1 linecolor rgb '#dfe3e8'
set style fill solid 1.0 noborder
set lmargin at screen 0.2047
set rmargin at screen 0.8256
set tmargin at screen 0.9737
set bmargin at screen 0.1842
set yrange [6.5:0.5]
set xrange [0:3255.83]
set xlabel 'seconds' offset 0,0.4 textcolor rgb '#5b6570'
set label 'RAM only' at screen 0.1907, first 1 right front textcolor rgb '#1d2228'
set label '165 s (2:45)' at screen 0.9860, first 1 right front textcolor rgb '#1d2228'
set label 'NVMe' at screen 0.1907, first 2 right front textcolor rgb '#1d2228'
set label '451 s (7:31)' at screen 0.9860, first 2 right front textcolor rgb '#1d2228'
set label 'SATA SSD' at screen 0.1907, first 3 right front textcolor rgb '#1d2228'
set label '771 s (12:51)' at screen 0.9860, first 3 right front textcolor rgb '#1d2228'
set label 'start of the HDD' at screen 0.1907, first 4 right front textcolor rgb '#1d2228'
set label '1701 s (28:21)' at screen 0.9860, first 4 right front textcolor rgb '#1d2228'
set label 'swap file on the HDD' at screen 0.1907, first 5 right front textcolor rgb '#1d2228'
set label '2600 s (43:20)' at screen 0.9860, first 5 right front textcolor rgb '#1d2228'
set label 'end of the HDD' at screen 0.1907, first 6 right front textcolor rgb '#1d2228'
set label '3161 s (52:41)' at screen 0.9860, first 6 right front textcolor rgb '#1d2228'
$layer1 << END
0 1 0 165 0.66 1.34
END
$layer2 << END
0 2 0 451 1.66 2.34
END
$layer3 << END
0 3 0 771 2.66 3.34
END
$layer4 << END
0 4 0 1701 3.66 4.34
END
$layer5 << END
0 5 0 2600 4.66 5.34
END
$layer6 << END
0 6 0 3161 5.66 6.34
END
plot $layer1 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#c6ccd3', \
     $layer2 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#c6ccd3', \
     $layer3 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#c6ccd3', \
     $layer4 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#6a737e', \
     $layer5 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#c6ccd3', \
     $layer6 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#c6ccd3'
