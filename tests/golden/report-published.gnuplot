unset key
set border 0
unset ytics
set xtics scale 0 nomirror textcolor rgb '#5b6570'
set grid xtics back linetype 1 linewidth 1 linecolor rgb '#dfe3e8'
set style fill solid 1.0 noborder
set lmargin at screen 0.2047
set rmargin at screen 0.9814
set tmargin at screen 0.9462
set bmargin at screen 0.1075
set yrange [6.5:0.5]
set xrange [0:2.262604167]
set xlabel 'excess over “RAM only”; “start of the HDD” is 1' offset 0,0.4 textcolor rgb '#5b6570'
set label 'published' at screen 0.2140, screen 0.9767 left front point pointtype 5 pointsize 1.1 linecolor rgb '#c6ccd3' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'ours, in seconds' at screen 0.4186, screen 0.9767 left front point pointtype 5 pointsize 1.1 linecolor rgb '#4a7ab5' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'ours, in drive time' at screen 0.6233, screen 0.9767 left front point pointtype 5 pointsize 1.1 linecolor rgb '#e0834f' offset 1.3,-0.25 textcolor rgb '#1d2228'

set arrow from 0, graph 0 to 0, graph 1 nohead back linewidth 1.5 linecolor rgb '#5b6570'
set arrow from 1, graph 0 to 1, graph 1 nohead back linewidth 1.5 linecolor rgb '#5b6570'
set label 'RAM only' at screen 0.1907, first 1 right front textcolor rgb '#1d2228'
set label '0' at first 0.01810083333, first 0.74359 left front textcolor rgb '#1d2228'
set label '0' at first 0.01810083333, first 1 left front textcolor rgb '#1d2228'
set label '0' at first 0.01810083333, first 1.25641 left front textcolor rgb '#1d2228'
set label 'NVMe' at screen 0.1907, first 2 right front textcolor rgb '#1d2228'
set label '0.19' at first 0.20429875, first 1.74359 left front textcolor rgb '#1d2228'
set label '0.59' at first 0.6093204548, first 2 left front textcolor rgb '#1d2228'
set label '0.07' at first 0.09310083333, first 2.25641 left front textcolor rgb '#1d2228'
set label 'SATA SSD' at screen 0.1907, first 3 right front textcolor rgb '#1d2228'
set label '0.39' at first 0.4126320833, first 2.74359 left front textcolor rgb '#1d2228'
set label 'this experiment leaves it out' at first 0.01810083333, first 3 left front textcolor rgb '#5b6570'
set label 'start of the HDD' at screen 0.1907, first 4 right front textcolor rgb '#1d2228'
set label '1.00' at first 1.018100833, first 3.74359 left front textcolor rgb '#1d2228'
set label '1.00' at first 1.018100833, first 4 left front textcolor rgb '#1d2228'
set label '1.00' at first 1.018100833, first 4.25641 left front textcolor rgb '#1d2228'
set label 'swap file on the HDD' at screen 0.1907, first 5 right front textcolor rgb '#1d2228'
set label '1.59' at first 1.603387292, first 4.74359 left front textcolor rgb '#1d2228'
set label '1.11' at first 1.128975511, first 5 left front textcolor rgb '#1d2228'
set label '1.00' at first 1.018100833, first 5.25641 left front textcolor rgb '#1d2228'
set label 'end of the HDD' at screen 0.1907, first 6 right front textcolor rgb '#1d2228'
set label '1.95' at first 1.968621667, first 5.74359 left front textcolor rgb '#1d2228'
set label '1.70' at first 1.721427074, first 6 left front textcolor rgb '#1d2228'
set label '1.40' at first 1.418100833, first 6.25641 left front textcolor rgb '#1d2228'
$layer1 << END
0 0.7435897436 0 0 0.6358974359 0.8512820513
END
$layer2 << END
0 1 0 0 0.8923076923 1.107692308
END
$layer3 << END
0 1.256410256 0 0 1.148717949 1.364102564
END
$layer4 << END
0 1.743589744 0 0.1861979167 1.635897436 1.851282051
END
$layer5 << END
0 2 0 0.5912196215 1.892307692 2.107692308
END
$layer6 << END
0 2.256410256 0 0.075 2.148717949 2.364102564
END
$layer7 << END
0 2.743589744 0 0.39453125 2.635897436 2.851282051
END
$layer8 << END
0 3.743589744 0 1 3.635897436 3.851282051
END
$layer9 << END
0 4 0 1 3.892307692 4.107692308
END
$layer10 << END
0 4.256410256 0 1 4.148717949 4.364102564
END
$layer11 << END
0 4.743589744 0 1.585286458 4.635897436 4.851282051
END
$layer12 << END
0 5 0 1.110874678 4.892307692 5.107692308
END
$layer13 << END
0 5.256410256 0 1 5.148717949 5.364102564
END
$layer14 << END
0 5.743589744 0 1.950520833 5.635897436 5.851282051
END
$layer15 << END
0 6 0 1.70332624 5.892307692 6.107692308
END
$layer16 << END
0 6.256410256 0 1.4 6.148717949 6.364102564
END
plot $layer1 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#c6ccd3', \
     $layer2 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#4a7ab5', \
     $layer3 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#e0834f', \
     $layer4 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#c6ccd3', \
     $layer5 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#4a7ab5', \
     $layer6 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#e0834f', \
     $layer7 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#c6ccd3', \
     $layer8 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#c6ccd3', \
     $layer9 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#4a7ab5', \
     $layer10 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#e0834f', \
     $layer11 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#c6ccd3', \
     $layer12 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#4a7ab5', \
     $layer13 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#e0834f', \
     $layer14 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#c6ccd3', \
     $layer15 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#4a7ab5', \
     $layer16 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#e0834f'
