const ascii = /^[\n -~]*$/

/**
 * Folds text for case-insensitive comparison. Some lowercase letters (ẖ) have no single uppercase letter; converting to
 * uppercase first makes both spellings equal. A final sigma is a distinct letter, which a search for part of a word would miss.
 */
export const fold = (value: string) =>
  ascii.test(value) ? value.toLowerCase() : value.toUpperCase().toLowerCase().replaceAll('ς', 'σ')
