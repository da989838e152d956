import { Document, Image, Page, renderToBuffer, StyleSheet, Text, View } from '@react-pdf/renderer'
import { createElement as h, type ReactNode } from 'react'
import { formatDateTime } from '#contract/format/times.ts'
import type { MailBrand } from '../messages/mail-brand.ts'
import { inlineSvgClasses } from './inline-svg-classes.ts'
import { FONT, loadFonts, TEXT_FEATURES } from './pdf-fonts.ts'
import { colors } from './pdf-parts.ts'

/** The common part of every document. */
export interface PdfFrame {
  brand: MailBrand
  logo: Uint8Array | undefined
  /** Shown at the top right. */
  name: string
  /** In the file's properties, after the name. */
  about: string
  title: string
  subtitle: string
  madeAt: Date
  timeZone: string
}

const styles = StyleSheet.create({
  page: {
    fontFamily: FONT,
    fontFeatureSettings: TEXT_FEATURES,
    fontSize: 10,
    color: colors.ink,
    padding: 50,
    paddingTop: 40,
    paddingBottom: 64,
  },
  stripe: { position: 'absolute', top: 0, left: 0, right: 0, height: 6 },
  header: { flexDirection: 'row', justifyContent: 'space-between', alignItems: 'center', marginBottom: 26 },
  company: { fontSize: 15, fontWeight: 600 },
  kind: { fontSize: 9, color: colors.quiet },
  title: { fontSize: 24, fontWeight: 600 },
  subtitle: { fontSize: 10, color: colors.quiet, marginTop: 4 },
  footer: {
    position: 'absolute',
    left: 50,
    right: 50,
    bottom: 28,
    flexDirection: 'row',
    justifyContent: 'space-between',
  },
  small: { fontSize: 8, color: colors.quiet },
})

/**
 * For content that fits on one page, so that the library does not lay it out twice to find a break. A page without wrapping is as
 * tall as its content.
 */
const ONE_PAGE = { wrap: false, style: [styles.page, { minHeight: 792 }] }

const LOGO_HEIGHT = 26
const LOGO_WIDTH = 190

/** The first bytes of a PNG or a JPEG, the only raster formats that the library supports. */
const PIXELS = [0x89, 0xff]

const VIEW_BOX = /viewBox="[\d.-]+[ ,]+[\d.-]+[ ,]+([\d.]+)[ ,]+([\d.]+)"/

/** The logo, left-aligned; undefined if the library cannot read it. */
const Logo = ({ logo }: { logo: Uint8Array }) => {
  const text = Buffer.from(logo).toString('utf8').trimStart()
  if (PIXELS.includes(logo[0] as number)) return h(Image, { src: Buffer.from(logo), style: { height: LOGO_HEIGHT } })
  // Without a width, the library would center it.
  const [, width, height] = VIEW_BOX.exec(text) ?? []
  const shown = width && height ? Math.min(LOGO_WIDTH, (LOGO_HEIGHT * Number(width)) / Number(height)) : LOGO_WIDTH
  return h(Image, { src: Buffer.from(inlineSvgClasses(text)), style: { height: LOGO_HEIGHT, width: shown } })
}

const isReadable = (logo: Uint8Array) =>
  PIXELS.includes(logo[0] ?? 0) ||
  // The library detects an SVG by its first characters.
  /^<(\?xml|svg)/.test(Buffer.from(logo.subarray(0, 200)).toString('utf8').trimStart())

const Header = ({ brand, logo, name }: PdfFrame) =>
  h(
    View,
    { style: styles.header },
    logo && isReadable(logo) ? h(Logo, { logo }) : h(Text, { style: styles.company }, brand.company),
    h(Text, { style: styles.kind }, name),
  )

const Footer = ({ brand, madeAt, timeZone }: PdfFrame) => {
  const contact = [brand.supportPhone, brand.supportEmail].filter((each) => each !== undefined).join(' · ')
  return h(
    View,
    { style: styles.footer, fixed: true },
    h(Text, { style: styles.small }, [brand.company, contact].filter((each) => each !== '').join(' · ')),
    h(Text, {
      style: styles.small,
      render: ({ pageNumber, totalPages }: { pageNumber: number; totalPages: number }) =>
        `Made ${formatDateTime(madeAt, timeZone)} · ${pageNumber} of ${totalPages}`,
    }),
  )
}

/** A document in the tenant's design: the first page with its title and parts, then the other pages. */
export const renderFramed = async (
  frame: PdfFrame,
  parts: readonly ReactNode[],
  furtherPages: readonly ReactNode[] = [],
): Promise<Uint8Array> => {
  await loadFonts()
  const { brand, name, about, title, subtitle, madeAt } = frame
  const page = { size: 'LETTER' as const, style: styles.page }
  const stripe = h(View, { style: [styles.stripe, { backgroundColor: brand.color }], fixed: true })
  const bytes = await renderToBuffer(
    h(
      Document,
      {
        title: `${name}: ${about}`,
        author: brand.company,
        creator: brand.company,
        producer: brand.company,
        language: 'en-US',
        creationDate: madeAt,
        modificationDate: madeAt,
      },
      h(
        Page,
        page,
        stripe,
        h(Header, frame),
        h(Text, { style: styles.title }, title),
        h(Text, { style: styles.subtitle }, subtitle),
        ...parts,
        h(Footer, frame),
      ),
      ...furtherPages.map((content, index) =>
        h(Page, { key: String(index), ...page, ...ONE_PAGE }, stripe, content, h(Footer, frame)),
      ),
    ),
  )
  return new Uint8Array(bytes)
}
