declare module 'virtual:outlines' {
  export const outlinesUrl: string
}
