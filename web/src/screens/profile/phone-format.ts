/** Formats the number typed so far as (123) 456-7890. One with a country code is left unchanged. */
export function formatPhone(typed: string) {
  if (typed.startsWith('+')) return `+${typed.replace(/[^\d ]/g, '').slice(0, 24)}`
  const digits = typed.replace(/\D/g, '').slice(0, 10)
  if (digits.length < 4) return digits
  if (digits.length < 7) return `(${digits.slice(0, 3)}) ${digits.slice(3)}`
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`
}
