/** Numbers are written with spaces and parentheses; the link needs digits. */
export const telephoneHref = (phone: string) => `tel:${phone.replace(/[^\d+]/g, '')}`
