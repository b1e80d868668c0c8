/** The notice of a page: what was done, or why it was not. */
import { announce } from './announce.ts'

const NOTICE = '#content > .notice.success'

/** Shows what a page says of which only a part is taken: it says so only once. */
export function showNotice(answer: Document): void {
  const notice = answer.querySelector(NOTICE)
  if (!notice) return
  document.querySelector(NOTICE)?.remove()
  document.querySelector('#content')?.prepend(notice)
  announce(notice.textContent.trim())
}

/**
 * Says to the server that a page is asked for to be shown: to those that scripts ask for, for their parts or in case a link is followed, it gives no
 * notice, which would be lost with them (`frame/notice.ts`).
 */
document.addEventListener('turbo:before-fetch-request', event => {
  const { headers } = (event as CustomEvent<{ readonly fetchOptions: { readonly headers: Record<string, string> } }>).detail.fetchOptions
  if (headers['X-Sec-Purpose'] !== 'prefetch') headers['x-shown'] = '1'
})

const UNREACHED = 'unreached'

/** A form that does not reach the server would otherwise seem to have been sent: Turbo throws, and shows nothing. */
document.addEventListener('turbo:fetch-request-error', event => {
  if (!(event.target instanceof HTMLFormElement)) return
  const says = 'The server does not answer. What you have typed is still here: try again in a moment.'
  const notice = document.createElement('div')
  notice.className = `notice danger ${UNREACHED}`
  notice.textContent = says
  document.querySelector('#content')?.prepend(notice)
  notice.scrollIntoView({ block: 'nearest' })
  announce(says)
})

document.addEventListener('turbo:submit-start', () => document.querySelector(`#content > .${UNREACHED}`)?.remove())

interface FrameRender {
  readonly fetchResponse: { readonly responseHTML: Promise<string | undefined> }
}

document.addEventListener('turbo:frame-render', event => {
  void (event as CustomEvent<FrameRender>).detail.fetchResponse.responseHTML.then(text =>
    showNotice(new DOMParser().parseFromString(text ?? '', 'text/html')),
  )
})
