import { assetPath } from '../assets/files.ts'
import type { IconName } from '../assets/icons.ts'
import { type Html, html } from '../html.ts'

/** An icon, 16 px, at a place of a drawing. */
export const iconAt = (name: IconName, x: number, y: number, className: string): Html =>
  html`<use class="${className}" href="${assetPath('icons.svg')}#${name}" x="${x}" y="${y}" width="16" height="16"/>`

/** An icon, 16 px. Without `label` it is decoration, which screen readers pass over. */
export const icon = (name: IconName, label?: string): Html =>
  label === undefined
    ? html`<svg class="octicon" width="16" height="16" aria-hidden="true"><use href="${assetPath('icons.svg')}#${name}"/></svg>`
    : html`<svg class="octicon" width="16" height="16" role="img" aria-label="${label}"><use href="${assetPath('icons.svg')}#${name}"/></svg>`
