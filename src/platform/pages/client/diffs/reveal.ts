/** Goes to a file of a diff that is not loaded yet: the frames before it are loaded, so that what was read stays. */
import { announce } from '../live/announce.ts'

/** Frames that are loaded for one file; to one further away the link leads by itself. */
const MOST_FRAMES = 14

/** A frame that stands for the next files. */
export interface Frame extends HTMLElement {
  loading: 'eager' | 'lazy'
  readonly loaded: Promise<void>
}

/** The frame of the next files that are not loaded. */
export const pendingFrame = (viewer: HTMLElement): Frame | null => viewer.querySelector<Frame>('turbo-frame[id^="files-"]:not([complete])')

/** False where the link has to lead there. */
export function reveal(viewer: HTMLElement, link: HTMLAnchorElement): boolean {
  const { hash, search } = new URL(link.href)
  const anchor = hash.slice(1)
  const wanted = Number(new URLSearchParams(search).get('page'))
  if (!document.getElementById(anchor)) {
    const first = Number(pendingFrame(viewer)?.id.slice('files-'.length))
    if (!(wanted >= first && wanted < first + MOST_FRAMES)) return false
  }
  void load(viewer, anchor)
  return true
}

async function load(viewer: HTMLElement, anchor: string): Promise<void> {
  for (let step = 0; step < MOST_FRAMES && !document.getElementById(anchor); step++) {
    const frame = pendingFrame(viewer)
    if (!frame) break
    if (step === 0) announce('Loading the file')
    frame.loading = 'eager'
    await frame.loaded
  }
  const file = document.getElementById(anchor)
  history.replaceState(history.state, '', `#${anchor}`)
  file?.scrollIntoView({ block: 'start' })
  file?.querySelector<HTMLElement>(':scope > header [data-fold]')?.focus({ preventScroll: true })
}
