expect 0 list; silent_out
expect 2 report quickstart; complains "nothing is stored yet"
expect 2 show abc; complains "nothing is stored yet"
expect 2 export quickstart --format csv; complains "nothing is stored yet"
expect 2 run quickstart; complains "neither a file nor the name of a stored experiment"
