unset key
set border 0
unset ytics
set xtics scale 0 nomirror textcolor rgb '#5b6570'
set grid xtics back linetype 1 linewidth 1 linecolor rgb '#dfe3e8'
set style fill solid 1.0 noborder
set lmargin at screen 0.2221
set rmargin at screen 0.8372
set tmargin at screen 0.9765
set bmargin at screen 0.1647
set yrange [6.5:0.5]
set xrange [0:185.709]
set xlabel 'seconds' offset 0,0.4 textcolor rgb '#5b6570'
set label 'RAM only' at screen 0.2081, first 1 right front textcolor rgb '#1d2228'
set label '24.04 s' at screen 0.9860, first 1 right front textcolor rgb '#1d2228'
set label 'second drive' at screen 0.2081, first 2 right front textcolor rgb '#1d2228'
set label '76.6 s (1:17)' at screen 0.9860, first 2 right front textcolor rgb '#1d2228'
set label 'start of the HDD' at screen 0.2081, first 3 right front textcolor rgb '#1d2228'
set label '113.1 s (1:53)' at screen 0.9860, first 3 right front textcolor rgb '#1d2228'
set label 'swap file by fallocate' at screen 0.2081, first 4 right front textcolor rgb '#1d2228'
set label '113.9 s (1:54)' at screen 0.9860, first 4 right front textcolor rgb '#1d2228'
set label 'swap file by dd' at screen 0.2081, first 5 right front textcolor rgb '#1d2228'
set label '123.0 s (2:03)' at screen 0.9860, first 5 right front textcolor rgb '#1d2228'
set label 'end of the HDD' at screen 0.2081, first 6 right front textcolor rgb '#1d2228'
set label '176.3 s (2:56)' at screen 0.9860, first 6 right front textcolor rgb '#1d2228'
$layer1 << END
0 1 0 24.038 0.66 1.34
END
$layer2 << END
0 2 0 76.58 1.66 2.34
END
$layer3 << END
0 3 0 113.08 2.66 3.34
END
$layer4 << END
0 4 0 113.9 3.66 4.34
END
$layer5 << END
0 5 0 122.98 4.66 5.34
END
$layer6 << END
0 6 0 176.34 5.66 6.34
END
$layer7 << END
24.18 0.58 0 0.84
77.4 1.58 0 0.84
114.2 2.58 0 0.84
114.45 3.58 0 0.84
124 4.58 0 0.84
178 5.58 0 0.84
END
$layer8 << END
24.11 0.8
24.35 0.9
24.02 1
24.2 1.1
24.18 1.2
76.9 1.8
77.4 1.9
78.1 2
76.5 2.1
93 2.2
113.4 2.8
115.1 2.9
114.2 3
113 3.1
116.3 3.2
114 3.8125
114.9 3.9375
113.9 4.0625
115.5 4.1875
123.3 4.8
125.8 4.9
124 5
122.9 5.1
126.1 5.2
176.2 5.8
178 5.9
180.3 6
176.9 6.1
179 6.2
END
$layer9 << END
24.11 0.8
24.35 0.9
24.02 1
24.2 1.1
24.18 1.2
76.9 1.8
77.4 1.9
78.1 2
76.5 2.1
93 2.2
113.4 2.8
115.1 2.9
114.2 3
113 3.1
116.3 3.2
114 3.8125
114.9 3.9375
113.9 4.0625
115.5 4.1875
123.3 4.8
125.8 4.9
124 5
122.9 5.1
126.1 5.2
176.2 5.8
178 5.9
180.3 6
176.9 6.1
179 6.2
END
$layer10 << END
24.02 1
76.5 2.1
113 3.1
113.9 4.0625
122.9 5.1
176.2 5.8
END
plot $layer1 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#c6ccd3', \
     $layer2 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#8fb4dc', \
     $layer3 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#3f74b3', \
     $layer4 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#8fb4dc', \
     $layer5 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#8fb4dc', \
     $layer6 using 1:2:3:4:5:6 with boxxyerror linecolor rgb '#8fb4dc', \
     $layer7 using 1:2:3:4 with vectors nohead linewidth 2 linecolor rgb '#1d2228', \
     $layer8 using 1:2 with points pointtype 7 pointsize 0.75 linecolor rgb '#ffffff', \
     $layer9 using 1:2 with points pointtype 7 pointsize 0.5 linecolor rgb '#1d2228', \
     $layer10 using 1:2 with points pointtype 13 pointsize 0.85 linecolor rgb '#b3401f'
