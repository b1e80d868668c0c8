/** The notice of a page: what was done, or why it was not. */
import { announce } from './announce.ts'

const NOTICE = '#content > .notice.success'

/** Shows what a page says that is loaded into a frame: the rest of that page is not shown, and it says so only once. */
async function showNotice(
  event: CustomEvent<{ readonly fetchResponse: { readonly responseHTML: Promise<string | undefined> } }>,
): Promise<void> {
  const text = await event.detail.fetchResponse.responseHTML
  const notice = new DOMParser().parseFromString(text ?? '', 'text/html').querySelector(NOTICE)
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

document.addEventListener('turbo:frame-render', event => void showNotice(event as Parameters<typeof showNotice>[0]))
