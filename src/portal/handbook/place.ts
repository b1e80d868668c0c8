/** Help as the place of a page: the handbook for people and the description of the API beside each other. */
import type { Place, Side } from '../../platform/pages/frame/place.ts'

export const HANDBOOK = '/help'
export const API = '/-/docs'

export const helpPlace = (current: 'handbook' | 'api', side?: Side): Place => ({
  crumbs: [{ label: 'Help', href: HANDBOOK }],
  icon: 'book',
  current,
  tabs: [
    { key: 'handbook', label: 'Handbook', icon: 'book', href: HANDBOOK },
    { key: 'api', label: 'API', icon: 'code', href: API },
  ],
  ...(side && { side }),
})
