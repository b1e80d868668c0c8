/** Says a text to screen readers. */
export function announce(text: string): void {
  const region = document.querySelector('#announcements')
  if (region) region.textContent = text
}
