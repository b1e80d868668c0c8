import { type Html, html } from '../html.ts'
import { icon } from './icon.ts'

/** A text to copy, with a button that copies it; without a script it can be selected. `label` says what it is. */
export const copyField = (label: string, value: string): Html =>
  html`<div class="clone"><input class="form-control input-sm mono" readonly value="${value}" aria-label="${label}"><clipboard-copy class="btn btn-sm" value="${value}" role="button" tabindex="0" aria-label="Copy ${label}">${icon('copy')}</clipboard-copy></div>`

/** A button that copies. */
export const copyButton = (label: string, value: string): Html =>
  html`<clipboard-copy class="bar-button" value="${value}" role="button" tabindex="0" aria-label="${label}">${icon('copy')}</clipboard-copy>`
