/** Sends a move to the server, which decides: what it refuses is taken back. */
import { itemsOf, listOf, type Spot } from './places.ts'

const SIGNED_OUT = 'You are signed out. Sign in and try again.'
const UNREACHABLE = 'The server cannot be reached. Try again.'

/** What a move is sent with: the lists, the position from 0, and the neighbours by their ids. */
export function paramsOf(item: HTMLElement, from: Spot): URLSearchParams {
  const list = listOf(item) as HTMLElement
  const items = itemsOf(list)
  const index = items.indexOf(item)
  const params = new URLSearchParams({ position: String(index) })
  const given = {
    from: from.list.dataset.sortValue,
    list: list.dataset.sortValue,
    move_after_id: items[index - 1]?.dataset.sortItem,
    move_before_id: items[index + 1]?.dataset.sortItem,
  }
  for (const [name, value] of Object.entries(given)) if (value !== undefined) params.set(name, value)
  return params
}

/** Sends a move. @returns why it was refused; undefined where it was done */
export async function send(address: string, params: URLSearchParams): Promise<string | undefined> {
  try {
    const response = await fetch(address, {
      method: 'POST',
      body: params,
      headers: {
        accept: 'text/html',
        'x-part': '1',
        'x-csrf-token': document.querySelector<HTMLMetaElement>('meta[name=csrf-token]')?.content ?? '',
      },
    })
    if (response.redirected) return new URL(response.url).pathname === '/users/sign_in' ? SIGNED_OUT : undefined
    if (response.ok) return undefined
    const answer = new DOMParser().parseFromString(await response.text(), 'text/html')
    return (answer.querySelector('main [role=alert]') ?? answer.querySelector('main h1'))?.textContent?.trim() || 'This cannot be done.'
  } catch (error) {
    // What `fetch` throws without a connection; anything else is a mistake of ours.
    if (error instanceof TypeError) return UNREACHABLE
    throw error
  }
}
