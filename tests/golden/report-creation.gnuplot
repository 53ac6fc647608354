unset key
set border 0
unset ytics
set xtics scale 0 nomirror textcolor rgb '#5b6570'
set grid xtics back linetype 1 linewidth 1 linecolor rgb '#dfe3e8'
set style fill solid 1.0 noborder
set lmargin at screen 0.0977
set rmargin at screen 0.9721
set tmargin at screen 0.9171
set bmargin at screen 0.1336
set yrange [1.5:0.5]
set logscale xy
set xrange [872149369.6:4.230179994e+10]
set yrange [0.001933722475:7.024792945]
set xtics ('1 GiB' 1073741824, '4 GiB' 4294967296, '32 GiB' 3.435973837e+10)
set ytics scale 0 nomirror textcolor rgb '#5b6570'
set ytics ('0.002' 0.002, '0.005' 0.005, '0.01' 0.01, '0.02' 0.02, '0.05' 0.05, '0.1' 0.1, '0.2' 0.2, '0.5' 0.5, '1' 1, '2' 2, '5' 5)
set grid ytics back linetype 1 linewidth 1 linecolor rgb '#dfe3e8'
set xlabel 'size of the swap file (logarithmic)' offset 0,0.4 textcolor rgb '#5b6570'
set ylabel 'seconds (logarithmic)' offset 1,0 textcolor rgb '#5b6570'
set label 'fallocate' at screen 0.1070, screen 0.9700 left front point pointtype 7 pointsize 1.1 linecolor rgb '#4a7ab5' offset 1.3,-0.25 textcolor rgb '#1d2228'
set label 'dd, it''s 16 KiB' at screen 0.4000, screen 0.9700 left front point pointtype 5 pointsize 1.1 linecolor rgb '#e0834f' offset 1.3,-0.25 textcolor rgb '#1d2228'

$layer1 << END
1073741824 0.003
4294967296 0.006
3.435973837e+10 0.029
END
$layer2 << END
1073741824 0.003
4294967296 0.006
3.435973837e+10 0.029
END
$layer3 << END
4294967296 4.528
END
plot $layer1 using 1:2 with lines linewidth 2 linecolor rgb '#4a7ab5', \
     $layer2 using 1:2 with points pointtype 7 pointsize 1.1 linecolor rgb '#4a7ab5', \
     $layer3 using 1:2 with points pointtype 5 pointsize 1.1 linecolor rgb '#e0834f'
