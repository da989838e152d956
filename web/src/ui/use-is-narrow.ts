import { useMediaQuery } from '@mantine/hooks'

/** Whether the window is as narrow as a phone: the same width as in the style sheets. */
export const useIsNarrow = () => useMediaQuery('(max-width: 767px)', undefined, { getInitialValueInEffect: false })
