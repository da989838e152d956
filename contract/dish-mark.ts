/** The mark of a portal that has no logo: paths in a box of 48 by 48, and lines of the given width with round ends. */
export const dishMark = {
  filled: [
    'M6 15c0 13.8 10.7 24 24 24 2.7 0 4.2-2.2 2.7-4.1L12.2 13.4C10 11.2 6 12 6 15Z',
    'M26.5 18.5a3 3 0 1 0 6 0a3 3 0 1 0-6 0Z',
  ],
  lines: ['M20.5 27.5 28 20', 'M31 10.5a8 8 0 0 1 7 7M32 3.5a15 15 0 0 1 12.8 12.8', 'M14 44h20', 'M21 38v6'],
  lineWidth: 3,
}
