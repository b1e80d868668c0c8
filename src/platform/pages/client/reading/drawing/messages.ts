/** What a page and the frame in which a diagram is drawn say to each other. */

/** To the frame: draw this. */
export interface DrawRequest {
  readonly source: string
  readonly isDark: boolean
}

/** From the frame: it listens; the drawing has this height in px, and the title that its text gives; it cannot be drawn. */
export type DrawReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'drawn'; readonly height: number; readonly title: string }
  | { readonly kind: 'failed'; readonly reason: string }
