/** The dialogs that every page has: the help on keys, and the palette. */
import { icon } from '../components/icon.ts'
import { type Html, html } from '../html.ts'
import type { Framed } from './frame.ts'

/** Keys that hold everywhere; those of the place come from its tabs, and those of the page from what stands on it (`client/keys.ts`). */
const everywhere: readonly (readonly [keys: string | Html, does: string])[] = [
  ['/', 'Search'],
  // Named by its number: one letter that is not Latin makes V8 keep a page as two bytes a letter.
  [html`&#8984; K`, 'Go to anything'],
  ['g h', 'Go home'],
  ['j / k', 'Next and previous entry of a list'],
  ['Enter', 'Open the entry'],
  ['x', 'Choose the entry, where several are changed together'],
  ['[ / ]', 'Previous and next file of a diff'],
  ['v', 'Mark the file of a diff as viewed'],
  ['?', 'Show these keys'],
]

/** Keys of the page and of everywhere, on `?`. */
export function keyboardHelp({ place, counters }: Pick<Framed, 'place' | 'counters'>): Html {
  const here = [...(place?.tabs ?? []), ...counters].flatMap(({ hotkey, label }) =>
    hotkey === undefined ? [] : [[hotkey, `Go to ${label.toLowerCase()}`] as const],
  )
  return html`<dialog class="sheet" id="keyboard-help" aria-labelledby="keyboard-help-title"><div class="sheet-body">
<div class="row apart"><h2 id="keyboard-help-title">Keys</h2><button type="button" class="bar-button" data-close-dialog aria-label="Close">${icon('x')}</button></div>
<section data-page-keys hidden><h3>On this page</h3><dl class="facts-list"></dl><h3>Everywhere</h3></section>
<dl class="facts-list">${[...everywhere, ...here].map(([keys, does]) => html`<dt><kbd>${keys}</kbd></dt><dd>${does}</dd>`)}</dl>
<p><a href="/help">Read the handbook</a></p>
</div></dialog>`
}

/** The palette on ⌘K; `client/search/palette.ts` gives it life. */
export const paletteDialog = (): Html => html`<command-palette><dialog class="sheet palette" aria-label="Go to anything">
<input type="text" role="combobox" aria-expanded="true" aria-controls="palette-options" aria-label="Go to a page, project, person or issue" placeholder="Go to a page, project, person or issue" autocomplete="off" spellcheck="false">
<div role="listbox" id="palette-options" aria-label="Results"></div>
</dialog></command-palette>`
