unset key
set border 0
unset ytics
set xtics scale 0 nomirror textcolor rgb '#5b6570'
set grid xtics back linetype 1 linewidth 1 linecolor rgb '#dfe3e8'
set style fill solid 1.0 noborder
set lmargin at screen 0.0814
set rmargin at screen 0.9814
set tmargin at screen 0.8174
set bmargin at screen 0.1324
set yrange [1.5:0.5]
set xrange [0.4:31.6]
set xtics 5,5
set xlabel 'place in the order of the runs' offset 0,0.4 textcolor rgb '#5b6570'
set ytics scale 0 nomirror textcolor rgb '#5b6570'
unset grid
set grid ytics back linetype 1 linewidth 1 linecolor rgb '#dfe3e8'
set logscale y
set ytics ('20' 20, '50' 50, '100' 100, '200' 200)
set yrange [18.85915701:203.4797007]
set ylabel 'seconds (logarithmic)' offset 1,0 textcolor rgb '#5b6570'
set label 'RAM only' at screen 0.0907, screen 0.9703 left front point pointtype 7 pointsize 1.1 linecolor rgb '#4a7ab5' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'start of the HDD' at screen 0.3837, screen 0.9703 left front point pointtype 5 pointsize 1.1 linecolor rgb '#e0834f' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'swap file by dd' at screen 0.6767, screen 0.9703 left front point pointtype 9 pointsize 1.1 linecolor rgb '#2e8b57' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'swap file by fallocate' at screen 0.0907, screen 0.9201 left front point pointtype 13 pointsize 1.1 linecolor rgb '#9a4f96' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'end of the HDD' at screen 0.3837, screen 0.9201 left front point pointtype 11 pointsize 1.1 linecolor rgb '#b59a1f' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'second drive' at screen 0.6767, screen 0.9201 left front point pointtype 15 pointsize 1.1 linecolor rgb '#2f9fb8' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'ring: does not count' at screen 0.0907, screen 0.8699 left front point pointtype 6 pointsize 1.1 linecolor rgb '#b03030' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'cross: did not finish' at screen 0.3837, screen 0.8699 left front point pointtype 2 pointsize 1.1 linecolor rgb '#b03030' offset 1.3,-0.25 textcolor rgb '#1d2228'

$layer1 << END
1 24.11
13 24.35
14 24.02
25 24.2
26 24.18
END
$layer2 << END
1 24.11
13 24.35
14 24.02
25 24.2
26 24.18
END
$layer3 << END
2 113.4
12 115.1
15 114.2
24 113
27 116.3
END
$layer4 << END
2 113.4
12 115.1
15 114.2
24 113
27 116.3
END
$layer5 << END
3 123.3
11 125.8
16 124
23 122.9
28 126.1
END
$layer6 << END
3 123.3
11 125.8
16 124
23 122.9
28 126.1
END
$layer7 << END
4 114
10 114.9
22 113.9
29 115.5
END
$layer8 << END
4 114
10 114.9
17 18.85915701
22 113.9
29 115.5
END
$layer9 << END
5 176.2
9 178
18 180.3
21 176.9
30 179
END
$layer10 << END
5 176.2
8 178
9 178
18 180.3
21 176.9
30 179
END
$layer11 << END
6 76.9
7 77.4
19 78.1
20 76.5
31 93
END
$layer12 << END
6 76.9
7 77.4
19 78.1
20 76.5
31 93
END
$layer13 << END
8 178
END
$layer14 << END
17 18.85915701
END
plot $layer1 using 1:2 with lines linewidth 1 linecolor rgb '#4a7ab5', \
     $layer2 using 1:2 with points pointtype 7 pointsize 1.0 linecolor rgb '#4a7ab5', \
     $layer3 using 1:2 with lines linewidth 1 linecolor rgb '#e0834f', \
     $layer4 using 1:2 with points pointtype 5 pointsize 1.0 linecolor rgb '#e0834f', \
     $layer5 using 1:2 with lines linewidth 1 linecolor rgb '#2e8b57', \
     $layer6 using 1:2 with points pointtype 9 pointsize 1.0 linecolor rgb '#2e8b57', \
     $layer7 using 1:2 with lines linewidth 1 linecolor rgb '#9a4f96', \
     $layer8 using 1:2 with points pointtype 13 pointsize 1.0 linecolor rgb '#9a4f96', \
     $layer9 using 1:2 with lines linewidth 1 linecolor rgb '#b59a1f', \
     $layer10 using 1:2 with points pointtype 11 pointsize 1.0 linecolor rgb '#b59a1f', \
     $layer11 using 1:2 with lines linewidth 1 linecolor rgb '#2f9fb8', \
     $layer12 using 1:2 with points pointtype 15 pointsize 1.0 linecolor rgb '#2f9fb8', \
     $layer13 using 1:2 with points pointtype 6 pointsize 2 linewidth 2 linecolor rgb '#b03030', \
     $layer14 using 1:2 with points pointtype 2 pointsize 1.6 linewidth 2 linecolor rgb '#b03030'
