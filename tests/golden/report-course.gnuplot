$course1 << END
0 48.8281
1 126.953
END
$course2 << END
0 0
1 29.2969
END
$course3 << END
0 15.2344
1 15.2344
END
$course4 << END
0 34.375
1 34.375
END
$course5 << END
0 48.8281
1 126.953
END
$course6 << END
0 0
1 29.2969
END
$course7 << END
0 15.2344
1 15.2344
END
$course8 << END
0 34.375
1 34.375
END
$course9 << END
0 48.8281
1 126.953
END
$course10 << END
0 0
1 29.2969
END
$course11 << END
0 15.2344
1 15.2344
END
$course12 << END
0 34.375
1 34.375
END
$course13 << END
0 48.8281
1 126.953
END
$course14 << END
0 0
1 29.2969
END
$course15 << END
0 15.2344
1 15.2344
END
$course16 << END
0 34.375
1 34.375
END
$course17 << END
0 48.8281
1 126.953
END
$course18 << END
0 0
1 29.2969
END
$course19 << END
0 15.2344
1 15.2344
END
$course20 << END
0 34.375
1 34.375
END
$course21 << END
0 48.8281
1 126.953
END
$course22 << END
0 0
1 29.2969
END
$course23 << END
0 15.2344
1 15.2344
END
$course24 << END
0 34.375
1 34.375
END
set multiplot
unset key
set border 1 linecolor rgb '#5b6570'
set xtics scale 0 nomirror textcolor rgb '#5b6570'
set ytics scale 0 nomirror textcolor rgb '#5b6570'
set grid ytics back linetype 1 linewidth 1 linecolor rgb '#dfe3e8'
set xrange [0:176.2]
set xtics 0,50
set label 'MiB' at screen 0.0651, screen 0.9852 right textcolor rgb '#5b6570'
set label 'MiB/s' at screen 0.5721, screen 0.9852 right textcolor rgb '#5b6570'
set label 'memory used' at screen 0.0907, screen 0.9852 left front point pointtype 5 pointsize 1.1 linecolor rgb '#4a7ab5' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'swap used' at screen 0.2953, screen 0.9852 left front point pointtype 5 pointsize 1.1 linecolor rgb '#d4731a' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'swap-in' at screen 0.5977, screen 0.9852 left front point pointtype 5 pointsize 1.1 linecolor rgb '#2e8b57' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'swap-out' at screen 0.8023, screen 0.9852 left front point pointtype 5 pointsize 1.1 linecolor rgb '#9a4f96' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'RAM only' at screen 0.0744, screen 0.9477 left textcolor rgb '#1d2228'
set format x ''
set lmargin at screen 0.0744
set rmargin at screen 0.4884
set tmargin at screen 0.9341
set bmargin at screen 0.8295
set yrange [0:133.3007812]
set ytics 0,50
plot $course1 using 1:2 with lines linewidth 2 linecolor rgb '#4a7ab5', \
     $course2 using 1:2 with lines linewidth 2 linecolor rgb '#d4731a'
unset label
set format x ''
set lmargin at screen 0.5814
set rmargin at screen 0.9814
set tmargin at screen 0.9341
set bmargin at screen 0.8295
set yrange [0:36.09375]
set ytics 0,20
plot $course3 using 1:2 with lines linewidth 2 linecolor rgb '#2e8b57', \
     $course4 using 1:2 with lines linewidth 2 linecolor rgb '#9a4f96'
unset label
set label 'second drive' at screen 0.0744, screen 0.7977 left textcolor rgb '#1d2228'
set format x ''
set lmargin at screen 0.0744
set rmargin at screen 0.4884
set tmargin at screen 0.7841
set bmargin at screen 0.6795
set yrange [0:133.3007812]
set ytics 0,50
plot $course5 using 1:2 with lines linewidth 2 linecolor rgb '#4a7ab5', \
     $course6 using 1:2 with lines linewidth 2 linecolor rgb '#d4731a'
unset label
set format x ''
set lmargin at screen 0.5814
set rmargin at screen 0.9814
set tmargin at screen 0.7841
set bmargin at screen 0.6795
set yrange [0:36.09375]
set ytics 0,20
plot $course7 using 1:2 with lines linewidth 2 linecolor rgb '#2e8b57', \
     $course8 using 1:2 with lines linewidth 2 linecolor rgb '#9a4f96'
unset label
set label 'start of the HDD' at screen 0.0744, screen 0.6477 left textcolor rgb '#1d2228'
set format x ''
set lmargin at screen 0.0744
set rmargin at screen 0.4884
set tmargin at screen 0.6341
set bmargin at screen 0.5295
set yrange [0:133.3007812]
set ytics 0,50
plot $course9 using 1:2 with lines linewidth 2 linecolor rgb '#4a7ab5', \
     $course10 using 1:2 with lines linewidth 2 linecolor rgb '#d4731a'
unset label
set format x ''
set lmargin at screen 0.5814
set rmargin at screen 0.9814
set tmargin at screen 0.6341
set bmargin at screen 0.5295
set yrange [0:36.09375]
set ytics 0,20
plot $course11 using 1:2 with lines linewidth 2 linecolor rgb '#2e8b57', \
     $course12 using 1:2 with lines linewidth 2 linecolor rgb '#9a4f96'
unset label
set label 'swap file by fallocate' at screen 0.0744, screen 0.4977 left textcolor rgb '#1d2228'
set format x ''
set lmargin at screen 0.0744
set rmargin at screen 0.4884
set tmargin at screen 0.4841
set bmargin at screen 0.3795
set yrange [0:133.3007812]
set ytics 0,50
plot $course13 using 1:2 with lines linewidth 2 linecolor rgb '#4a7ab5', \
     $course14 using 1:2 with lines linewidth 2 linecolor rgb '#d4731a'
unset label
set format x ''
set lmargin at screen 0.5814
set rmargin at screen 0.9814
set tmargin at screen 0.4841
set bmargin at screen 0.3795
set yrange [0:36.09375]
set ytics 0,20
plot $course15 using 1:2 with lines linewidth 2 linecolor rgb '#2e8b57', \
     $course16 using 1:2 with lines linewidth 2 linecolor rgb '#9a4f96'
unset label
set label 'swap file by dd' at screen 0.0744, screen 0.3477 left textcolor rgb '#1d2228'
set format x ''
set lmargin at screen 0.0744
set rmargin at screen 0.4884
set tmargin at screen 0.3341
set bmargin at screen 0.2295
set yrange [0:133.3007812]
set ytics 0,50
plot $course17 using 1:2 with lines linewidth 2 linecolor rgb '#4a7ab5', \
     $course18 using 1:2 with lines linewidth 2 linecolor rgb '#d4731a'
unset label
set format x ''
set lmargin at screen 0.5814
set rmargin at screen 0.9814
set tmargin at screen 0.3341
set bmargin at screen 0.2295
set yrange [0:36.09375]
set ytics 0,20
plot $course19 using 1:2 with lines linewidth 2 linecolor rgb '#2e8b57', \
     $course20 using 1:2 with lines linewidth 2 linecolor rgb '#9a4f96'
unset label
set label 'end of the HDD' at screen 0.0744, screen 0.1977 left textcolor rgb '#1d2228'
set format x '%g'
set xlabel 'seconds' offset 0,0.4 textcolor rgb '#5b6570'
set lmargin at screen 0.0744
set rmargin at screen 0.4884
set tmargin at screen 0.1841
set bmargin at screen 0.0795
set yrange [0:133.3007812]
set ytics 0,50
plot $course21 using 1:2 with lines linewidth 2 linecolor rgb '#4a7ab5', \
     $course22 using 1:2 with lines linewidth 2 linecolor rgb '#d4731a'
unset label
set format x '%g'
set xlabel 'seconds' offset 0,0.4 textcolor rgb '#5b6570'
set lmargin at screen 0.5814
set rmargin at screen 0.9814
set tmargin at screen 0.1841
set bmargin at screen 0.0795
set yrange [0:36.09375]
set ytics 0,20
plot $course23 using 1:2 with lines linewidth 2 linecolor rgb '#2e8b57', \
     $course24 using 1:2 with lines linewidth 2 linecolor rgb '#9a4f96'
unset label
unset multiplot
