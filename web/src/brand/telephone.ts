/** Numbers are written with spaces and brackets; the link needs digits. */
export const telephoneHref = (phone: string) => `tel:${phone.replace(/[^\d+]/g, '')}`
