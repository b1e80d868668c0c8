/**
 * Times for people. Each takes the browser some 50 µs, and lists have thousands: the first ones are made with the page, the others when they come near
 * the window. Until then they show the day, as without a script.
 */
import { RelativeTimeElement } from '@github/relative-time-element/relative-time'

/** Times that are made together with what brings them, so that nothing on the first screen changes afterwards. */
const FIRST = 150

let made = 0

/** May one more be made in this task? */
function isFirst(): boolean {
  if (made === 0) setTimeout(() => (made = 0))
  return made++ < FIRST
}

const near = new IntersectionObserver(
  seen => {
    for (const { isIntersecting, target } of seen) if (isIntersecting) (target as NearTime).make()
  },
  { rootMargin: '100% 0px' },
)

class NearTime extends RelativeTimeElement {
  #isMade = false

  constructor() {
    super()
    this.shadowRoot?.append(document.createElement('slot'))
  }

  override connectedCallback(): void {
    if (this.#isMade) super.connectedCallback()
    else if (isFirst()) this.make()
    else near.observe(this)
  }

  override disconnectedCallback(): void {
    near.unobserve(this)
    super.disconnectedCallback()
  }

  override attributeChangedCallback(name: string, before: unknown, after: unknown): void {
    if (this.#isMade) super.attributeChangedCallback(name, before, after)
  }

  make(): void {
    near.unobserve(this)
    this.#isMade = true
    // A title of the page's own stays.
    super.attributeChangedCallback('title', null, this.getAttribute('title'))
    super.connectedCallback()
  }
}

NearTime.define()
