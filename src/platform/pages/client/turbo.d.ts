/** What we use of Turbo, which brings no types. */
declare module '@hotwired/turbo' {
  export interface FrameElement extends HTMLElement {
    /** Fetches its address again. */
    reload(): Promise<void>
  }
  export function morphElements(current: Element, next: Element): void
  export const navigator: { readonly history: { push(location: URL): void } }
  export function visit(location: string): void
}
