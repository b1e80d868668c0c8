import type { IconName } from '../assets/icons.ts'
import { type Html, html } from '../html.ts'
import { icon } from './icon.ts'

export type Tone = 'plain' | 'success' | 'danger' | 'attention' | 'accent' | 'done'

/** A short fact: a state, a role, a visibility. The tone repeats what the words say. */
export const chip = (text: string, tone: Tone = 'plain', name?: IconName): Html =>
  html`<span class="chip${tone === 'plain' ? '' : ` ${tone}`}">${name && icon(name)}${text}</span>`

/** The visibility of a project or group. */
export const visibilityChip = (visibility: string): Html =>
  chip(
    visibility.charAt(0).toUpperCase() + visibility.slice(1),
    'plain',
    visibility === 'public' ? 'globe' : visibility === 'internal' ? 'shield' : 'lock',
  )
