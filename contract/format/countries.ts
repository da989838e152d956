const names = new Intl.DisplayNames('en-US', { type: 'region' })

/** 'Canada' for CA. */
export const formatCountry = (code: string) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code)
