/** People write numbers with spaces and brackets; the link wants digits. */
export const telephoneHref = (phone: string) => `tel:${phone.replace(/[^\d+]/g, '')}`
