unset key
set border 0
unset ytics
set xtics scale 0 nomirror textcolor rgb '#5b6570'
set grid xtics back linetype 1 linewidth 1 linecolor rgb '#dfe3e8'
set style fill solid 1.0 noborder
set lmargin at screen 0.0977
set rmargin at screen 0.9721
set tmargin at screen 0.8326
set bmargin at screen 0.1213
set yrange [1.5:0.5]
set logscale xy
set xrange [909185856.2:2.028929943e+10]
set yrange [0.0002044843913:81.40670245]
set xtics ('1 GiB' 1073741824, '4 GiB' 4294967296, '16 GiB' 1.717986918e+10)
set ytics scale 0 nomirror textcolor rgb '#5b6570'
set ytics ('0.001' 0.001, '0.01' 0.01, '0.1' 0.1, '1' 1, '10' 10)
set grid ytics back linetype 1 linewidth 1 linecolor rgb '#dfe3e8'
set xlabel 'size of the swap file (logarithmic)' offset 0,0.4 textcolor rgb '#5b6570'
set ylabel 'seconds (logarithmic)' offset 1,0 textcolor rgb '#5b6570'
set label 'fallocate' at screen 0.1070, screen 0.9728 left front point pointtype 7 pointsize 1.1 linecolor rgb '#4a7ab5' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'fallocate, fsync' at screen 0.4000, screen 0.9728 left front point pointtype 6 pointsize 1.1 linecolor rgb '#4a7ab5' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'bare call fallocate(2)' at screen 0.6930, screen 0.9728 left front point pointtype 5 pointsize 1.1 linecolor rgb '#e0834f' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'bare call fallocate(2), fsync' at screen 0.1070, screen 0.9268 left front point pointtype 4 pointsize 1.1 linecolor rgb '#e0834f' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'dd, 4 KiB blocks' at screen 0.4000, screen 0.9268 left front point pointtype 9 pointsize 1.1 linecolor rgb '#2e8b57' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'dd, 4 KiB blocks, fsync' at screen 0.6930, screen 0.9268 left front point pointtype 8 pointsize 1.1 linecolor rgb '#2e8b57' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'dd, 1 MiB blocks' at screen 0.1070, screen 0.8808 left front point pointtype 13 pointsize 1.1 linecolor rgb '#9a4f96' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'dd, 1 MiB blocks, fsync' at screen 0.4000, screen 0.8808 left front point pointtype 12 pointsize 1.1 linecolor rgb '#9a4f96' offset 1.3,-0.25 textcolor rgb '#1d2228'

$layer1 << END
1073741824 0.00306
4294967296 0.00612
1.717986918e+10 0.01224
END
$layer2 << END
1073741824 0.00306
4294967296 0.00612
1.717986918e+10 0.01224
END
$layer3 << END
1073741824 0.00612
4294967296 0.01224
1.717986918e+10 0.02448
END
$layer4 << END
1073741824 0.00612
4294967296 0.01224
1.717986918e+10 0.02448
END
$layer5 << END
1073741824 0.000408
4294967296 0.000816
1.717986918e+10 0.001632
END
$layer6 << END
1073741824 0.000408
4294967296 0.000816
1.717986918e+10 0.001632
END
$layer7 << END
1073741824 0.000816
4294967296 0.001632
1.717986918e+10 0.003264
END
$layer8 << END
1073741824 0.000816
4294967296 0.001632
1.717986918e+10 0.003264
END
$layer9 << END
1073741824 1.275
4294967296 5.1
1.717986918e+10 20.4
END
$layer10 << END
1073741824 1.275
4294967296 5.1
1.717986918e+10 20.4
END
$layer11 << END
1073741824 2.55
4294967296 10.2
1.717986918e+10 40.8
END
$layer12 << END
1073741824 2.55
4294967296 10.2
1.717986918e+10 40.8
END
$layer13 << END
1073741824 1.02
4294967296 4.08
1.717986918e+10 16.32
END
$layer14 << END
1073741824 1.02
4294967296 4.08
1.717986918e+10 16.32
END
$layer15 << END
1073741824 2.04
4294967296 8.16
1.717986918e+10 32.64
END
$layer16 << END
1073741824 2.04
4294967296 8.16
1.717986918e+10 32.64
END
plot $layer1 using 1:2 with lines linewidth 2 linecolor rgb '#4a7ab5', \
     $layer2 using 1:2 with points pointtype 7 pointsize 1.1 linecolor rgb '#4a7ab5', \
     $layer3 using 1:2 with lines linewidth 2 dashtype 2 linecolor rgb '#4a7ab5', \
     $layer4 using 1:2 with points pointtype 6 pointsize 1.1 linecolor rgb '#4a7ab5', \
     $layer5 using 1:2 with lines linewidth 2 linecolor rgb '#e0834f', \
     $layer6 using 1:2 with points pointtype 5 pointsize 1.1 linecolor rgb '#e0834f', \
     $layer7 using 1:2 with lines linewidth 2 dashtype 2 linecolor rgb '#e0834f', \
     $layer8 using 1:2 with points pointtype 4 pointsize 1.1 linecolor rgb '#e0834f', \
     $layer9 using 1:2 with lines linewidth 2 linecolor rgb '#2e8b57', \
     $layer10 using 1:2 with points pointtype 9 pointsize 1.1 linecolor rgb '#2e8b57', \
     $layer11 using 1:2 with lines linewidth 2 dashtype 2 linecolor rgb '#2e8b57', \
     $layer12 using 1:2 with points pointtype 8 pointsize 1.1 linecolor rgb '#2e8b57', \
     $layer13 using 1:2 with lines linewidth 2 linecolor rgb '#9a4f96', \
     $layer14 using 1:2 with points pointtype 13 pointsize 1.1 linecolor rgb '#9a4f96', \
     $layer15 using 1:2 with lines linewidth 2 dashtype 2 linecolor rgb '#9a4f96', \
     $layer16 using 1:2 with points pointtype 12 pointsize 1.1 linecolor rgb '#9a4f96'
