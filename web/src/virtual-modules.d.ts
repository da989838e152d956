declare module 'virtual:outlines' {
  export const outlineUrls: Record<'coarse' | 'fine', string>
  export const placeNamesUrl: string
}
