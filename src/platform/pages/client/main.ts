/** What every page loads: navigation without reload, times for people, keys, and the small elements of the frame. */
import '@hotwired/turbo'
import '@github/clipboard-copy-element'
import './live/arrival.ts'
import './live/notices.ts'
import './theme.ts'
import './keys.ts'
import './search/palette.ts'
import './reading/copied.ts'
import './reading/line_range.ts'
import './reading/task_list.ts'
import './reading/links/headings.ts'
import './reading/links/same_page.ts'
import './reading/links/drawn_links.ts'
import './reading/drawing/mermaid_diagram.ts'
import './reading/drawing/pdf_document.ts'
import './reading/hover_cards.ts'
import './search/finder.ts'
import './menus.ts'
import './search/filter_menu.ts'
import './search/live_search.ts'
import './search/suggestions.ts'
import './live/updates.ts'

const makeTimes = () => import('./reading/relative_time.ts')

// The first of the times loads what the browser knows of languages, and together with the rest of this script that took longer than a task may: they are
// made in a task of their own. It comes before a frame: what is painted changes no more.
if ('scheduler' in globalThis) void scheduler.postTask(makeTimes, { priority: 'user-blocking' })
else void makeTimes()
