/** What we use of Turbo, which brings no types. */
declare module '@hotwired/turbo' {
  export function visit(location: string): void
}
