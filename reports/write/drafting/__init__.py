"""Sections are drafted together, checked, mended and smoothed."""
