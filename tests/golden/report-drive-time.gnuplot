unset key
set border 0
unset ytics
set xtics scale 0 nomirror textcolor rgb '#5b6570'
set grid xtics back linetype 1 linewidth 1 linecolor rgb '#dfe3e8'
set style fill solid 1.0 noborder
set lmargin at screen 0.2221
set rmargin at screen 0.8953
set tmargin at screen 0.8913
set bmargin at screen 0.2029
set yrange [5.5:0.5]
set xrange [0:181.486]
set xlabel 'seconds' offset 0,0.4 textcolor rgb '#5b6570'
set label 'seek' at screen 0.2314, screen 0.9529 left front point pointtype 5 pointsize 1.1 linecolor rgb '#e0834f' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'rotation' at screen 0.3651, screen 0.9529 left front point pointtype 5 pointsize 1.1 linecolor rgb '#4a7ab5' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'transfer' at screen 0.4988, screen 0.9529 left front point pointtype 5 pointsize 1.1 linecolor rgb '#2e8b57' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'SSD: busy' at screen 0.6326, screen 0.9529 left front point pointtype 5 pointsize 1.1 linecolor rgb '#9a4f96' offset 1.3,-0.25 textcolor rgb '#1d2228'

set label 'second drive' at screen 0.2081, first 1 right front textcolor rgb '#1d2228'
set label '3.00 s' at screen 0.9860, first 1 right front textcolor rgb '#1d2228'
set label 'start of the HDD' at screen 0.2081, first 2 right front textcolor rgb '#1d2228'
set label '40.0 s' at screen 0.9860, first 2 right front textcolor rgb '#1d2228'
set label 'swap file by fallocate' at screen 0.2081, first 3 right front textcolor rgb '#1d2228'
set label '40.0 s' at screen 0.9860, first 3 right front textcolor rgb '#1d2228'
set label 'swap file by dd' at screen 0.2081, first 4 right front textcolor rgb '#1d2228'
set label '40.0 s' at screen 0.9860, first 4 right front textcolor rgb '#1d2228'
set label 'end of the HDD' at screen 0.2081, first 5 right front textcolor rgb '#1d2228'
set label '56.0 s' at screen 0.9860, first 5 right front textcolor rgb '#1d2228'
$layer1 << END
0 2 0 12 1.68 2.32
0 3 0 12 2.68 3.32
0 4 0 12 3.68 4.32
0 5 0 18 4.68 5.32
END
$layer2 << END
12 2 12 32 1.68 2.32
12 3 12 32 2.68 3.32
12 4 12 32 3.68 4.32
18 5 18 40 4.68 5.32
END
$layer3 << END
32 2 32 40 1.68 2.32
32 3 32 40 2.68 3.32
32 4 32 40 3.68 4.32
40 5 40 56 4.68 5.32
END
$layer4 << END
0 1 0 3 0.68 1.32
END
$layer5 << END
76.9 0.58 0 0.84
113.4 1.58 0 0.84
114 2.58 0 0.84
123.3 3.58 0 0.84
176.2 4.58 0 0.84
END
plot $layer1 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#e0834f', \
     $layer2 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#4a7ab5', \
     $layer3 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#2e8b57', \
     $layer4 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#9a4f96', \
     $layer5 using 1:2:3:4 with vectors nohead linewidth 2 linecolor rgb '#1d2228'
