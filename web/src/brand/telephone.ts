/** Numbers are written with spaces and parentheses; the link needs digits. */
export const buildPhoneHref = (phone: string) => `tel:${phone.replace(/[^\d+]/g, '')}`
