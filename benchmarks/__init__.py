"""Figures, taken as ratios or differences within one run. `make bench` prints them all."""
