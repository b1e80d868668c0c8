import { type Html, html } from '../../html.ts'

/** How much of a whole is done, as a bar. `share`: 0 to 1, or more. `says`: in words, for those who cannot see it. */
export function progressBar(share: number, says: string): Html {
  const width = Math.round(Math.min(1, Math.max(0, share)) * 1_000) / 10
  return html`<svg class="progress-bar${share > 1 ? ' over' : ''}" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label="${says}"><rect width="100" height="4" class="whole"></rect><rect width="${width}" height="4" class="part"></rect></svg>`
}
