#!/usr/bin/perl
# Writes a Haskell module that costs GHC memory: types with many constructors that derive Eq, Ord, Show and Read, and a
# main that proves what was compiled. The same arguments give the same text.
#   generate-module --types 2 --constructors 30 --seed 1 >Module.hs
# main ends with 0 and prints "N values, checksum M" when every value of every type came back from its text.
use strict;
use warnings;
use Getopt::Long;

my %asked = (types => 2, constructors => 30, seed => 1);
my $usage = "usage: generate-module [--types N] [--constructors N] [--seed N], each from 1 to 10000\n";
GetOptions(\%asked, 'types=i', 'constructors=i', 'seed=i') && !@ARGV or die $usage;
for my $value (values %asked) { die $usage if $value < 1 || $value > 10000; }

# A generator of our own: the same numbers wherever Perl runs. Numerical Recipes' constants for 32 bits.
my $state = $asked{seed};
sub pick {
    my ($count) = @_;
    $state = ($state * 1664525 + 1013904223) % 4294967296;
    return int($state / 65536) % $count;
}

# Field types with the expression that makes a value of an Int n.
my @kinds = (
    ['Int',               'n'],
    ['Integer',           'toInteger n * 7'],
    ['Bool',              'even n'],
    ['Double',            'fromIntegral n / 2'],
    ['String',            '"s" ++ show n'],
    ['[Int]',             '[n, n + 1]'],
    ['Maybe Int',         'Just n'],
    ['(Int, Bool)',       '(n, odd n)'],
    ['Either Int String', 'Left n'],
);

print "module Main (main) where\n\nimport System.Exit (exitFailure)\n";
for my $type (1 .. $asked{types}) {
    my (@declarations, @makers);
    for my $number (1 .. $asked{constructors}) {
        my $constructor = "T${type}C$number";
        my (@fields, @values);
        for my $field (1 .. 2 + pick(3)) {
            my ($haskell, $value) = @{ $kinds[pick(scalar @kinds)] };
            push @fields, "t${type}c${number}f$field :: $haskell";
            push @values, "($value)";
        }
        push @declarations, "$constructor { " . join(', ', @fields) . ' }';
        push @makers, "makeT$type $number n = $constructor @values";
    }
    print "\ndata T$type\n  = ", join("\n  | ", @declarations), "\n  deriving (Eq, Ord, Show, Read)\n\n";
    print "makeT$type :: Int -> Int -> T$type\n", map { "$_\n" } @makers;
    print "makeT$type _ n = makeT$type 1 n\n";
}

print "\ncheck :: (Ord a, Show a, Read a) => (Int -> Int -> a) -> Int -> (Int, Int)\n";
print "check make count\n";
print "  | map (read . show) values == values && maximum values >= minimum values = (length values, length (show values))\n";
print "  | otherwise = (0, 0)\n";
print "  where values = [make number n | number <- [1 .. count], n <- [1, 2]]\n";

my $expected = 2 * $asked{types} * $asked{constructors};
print "\nmain :: IO ()\nmain = do\n  let results =\n        [ ",
    join("\n        , ", map { "check makeT$_ $asked{constructors}" } 1 .. $asked{types}), "\n        ]\n";
print "      total = sum (map fst results)\n";
print "  putStrLn (show total ++ \" values, checksum \" ++ show (sum (map snd results)))\n";
print "  if total == $expected then return () else exitFailure\n";
