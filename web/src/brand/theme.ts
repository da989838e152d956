import { createTheme, type MantineColorsTuple, virtualColor } from '@mantine/core'
import { mix, parseHex, type Rgb, readableOn, toHex } from '#contract/contrast.ts'
import { FocusableButton } from '../ui/FocusableButton.tsx'

const slate = [
  '#f8fafc',
  '#f1f5f9',
  '#e2e8f0',
  '#cbd5e1',
  '#94a3b8',
  '#64748b',
  '#475569',
  '#334155',
  '#1e293b',
  '#0f172a',
] as const satisfies MantineColorsTuple

// Mantine reads 0 as text, 4 as border, 6 as the background of controls and 7 as the page in its dark scheme.
const nightNavy = [
  '#e2e8f0',
  '#cbd5e1',
  '#94a3b8',
  '#7c8ba1',
  '#2a3a63',
  '#1c2a4d',
  '#0c1631',
  '#050b1e',
  '#030714',
  '#02050f',
] as const satisfies MantineColorsTuple

// For failures and for actions that interrupt service: the color of the status Offline in both schemes.
const red = [
  '#fef2f2',
  '#fee2e2',
  '#fecaca',
  '#fca5a5',
  '#f87171',
  '#dc2626',
  '#b91c1c',
  '#991b1b',
  '#7f1d1d',
  '#450a0a',
] as const satisfies MantineColorsTuple

const defaultAccent: Rgb = [3, 105, 161]
const lightGround: Rgb = [241, 245, 249]
const darkGround: Rgb = [28, 42, 77]
const baseShade = 6
const white: Rgb = [255, 255, 255]
const black: Rgb = [0, 0, 0]

/**
 * The tenant's accent color. As text (links, active items) it has a contrast of 4.5:1 on our backgrounds in both schemes,
 * so it may become darker or lighter than the tenant's value.
 */
export function brandTheme(accentHex: string | undefined) {
  const accent = (accentHex && parseHex(accentHex)) || defaultAccent
  return createTheme({
    primaryColor: 'accent',
    primaryShade: baseShade,
    colors: {
      gray: slate,
      dark: nightNavy,
      red,
      accentLight: shades(readableOn(accent, lightGround, 4.5), black),
      accentDark: shades(readableOn(accent, darkGround, 4.5), white),
      accent: virtualColor({ name: 'accent', light: 'accentLight', dark: 'accentDark' }),
    },
    autoContrast: true,
    // Black and white have equal contrast at this luminance, so the better of both is always chosen.
    luminanceThreshold: 0.179,
    black: '#0f172a',
    fontFamily: "'Inter Variable', 'Inter Fallback', system-ui, sans-serif",
    fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
    fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '18px', xl: '28px' },
    lineHeights: { xs: '1.5', sm: '1.5', md: '1.5', lg: '1.4', xl: '1.2' },
    headings: {
      fontWeight: '600',
      sizes: { h1: { fontSize: '28px' }, h2: { fontSize: '18px' }, h3: { fontSize: '18px' }, h5: { fontSize: '14px' } },
    },
    spacing: { xs: '8px', sm: '12px', md: '16px', lg: '20px', xl: '32px' },
    defaultRadius: 'md',
    breakpoints: { xs: '22.5em', sm: '36em', md: '48em', lg: '62em', xl: '75em', xxl: '87.5em' },
    respectReducedMotion: true,
    components: {
      Button: { defaultProps: { component: FocusableButton } },
      ActionIcon: { defaultProps: { component: FocusableButton } },
      Badge: { defaultProps: { variant: 'light', tt: 'none', fz: 'xs', fw: 600 } },
      Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
      // A header element would be a second banner landmark on the page.
      ModalHeader: { defaultProps: { component: 'div' } },
    },
    cursorType: 'pointer',
  })
}

/** Hover uses the shade after the base. It moves away from the text color on it: white in light, black in dark. */
const shades = (base: Rgb, hoverTowards: Rgb) =>
  Array.from({ length: 10 }, (_, index) => {
    const away = index - baseShade
    return toHex(away <= 0 ? mix(base, white, (-away / baseShade) * 0.92) : mix(base, hoverTowards, (away / 4) * 0.5))
  }) as unknown as MantineColorsTuple
