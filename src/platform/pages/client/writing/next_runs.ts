/** The next runs of a schedule, while one chooses and types when it runs. Without a script a button shows them. */

/** How long one must pause in typing, in milliseconds. */
const PAUSE = 300

class NextRuns extends HTMLElement {
  #leaving: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  connectedCallback(): void {
    this.#leaving = new AbortController()
    const form = this.closest('form')
    const typed = form?.querySelector<HTMLInputElement>('input[name=cron]')
    for (const button of form?.querySelectorAll<HTMLElement>('button[name=preview]') ?? []) button.hidden = true
    const { signal } = this.#leaving
    form?.addEventListener(
      'input',
      ({ target }) => {
        const { name } = target as HTMLInputElement
        if (!form || !['interval', 'cron', 'cron_timezone'].includes(name)) return
        const data = new FormData(form)
        const interval = String(data.get('interval') ?? '')
        // What is chosen is a line to begin with for those who choose their own afterwards.
        if (name === 'interval' && typed && interval !== 'custom') typed.value = interval
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => this.#ask(String(data.get('cron_timezone') ?? ''), typed?.value ?? interval), PAUSE)
      },
      { signal },
    )
  }

  disconnectedCallback(): void {
    this.#leaving?.abort()
    clearTimeout(this.#timer)
  }

  #ask(cron_timezone: string, cron: string): void {
    const frame = this.querySelector('turbo-frame')
    frame?.setAttribute('src', `${this.dataset.from}?${new URLSearchParams({ cron, cron_timezone })}`)
  }
}

if (!customElements.get('next-runs')) customElements.define('next-runs', NextRuns)
