/** What every page loads: navigation without reload, times for people, keys, and the small elements of the frame. */
import '@hotwired/turbo'
import '@github/relative-time-element'
import '@github/clipboard-copy-element'
import './theme.ts'
import './keys.ts'
import './palette.ts'
import './copied.ts'
import './menus.ts'
