/**
 * What is pressed stays until it is released. A browser clicks what was pressed and released on one element: a page that takes the place of another
 * one between the two, as it does when Turbo has shown its copy first, would lose the click.
 */

/** Milliseconds after which what is still pressed is no click. */
const LONGEST = 2_000

let pressed: { readonly released: Promise<void>; readonly release: () => void } | undefined

function press(): void {
  pressed?.release()
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = window.setTimeout(() => end(), LONGEST)
  const end = () => {
    window.clearTimeout(timer)
    pressed = undefined
    resolve()
  }
  pressed = { released: promise, release: end }
}

// The click follows in the same task as the release.
const release = (): void => void window.setTimeout(() => pressed?.release())

window.addEventListener('pointerdown', ({ button, isPrimary }) => button === 0 && isPrimary && press(), true)
for (const end of ['pointerup', 'pointercancel', 'contextmenu']) window.addEventListener(end, release, true)
// Only the window's own: what loses the focus by a press has not been released.
window.addEventListener('blur', release)
// Menus of the browser and of lists swallow the release: the pointer then moves without a button.
window.addEventListener('pointermove', ({ buttons }) => buttons === 0 && pressed && release(), true)
// Space clicks a button when it is let go.
window.addEventListener('keydown', ({ key, repeat }) => key === ' ' && !repeat && press(), true)
window.addEventListener('keyup', ({ key }) => key === ' ' && release(), true)

/** Is a button or link, or anything else, pressed and not yet released? */
export const isPressed = (): boolean => pressed !== undefined

/** Resolves when nothing is pressed any more, and what was pressed has been clicked. */
export const released = async (): Promise<void> => pressed?.released

for (const name of ['turbo:before-render', 'turbo:before-frame-render'])
  document.addEventListener(name, event => {
    if (!isPressed()) return
    event.preventDefault()
    const { resume } = (event as CustomEvent<{ resume: (value?: unknown) => void }>).detail
    void released().then(() => resume())
  })
