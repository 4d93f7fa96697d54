/** Asked before the visitor leaves work that would be lost. */
export const LEAVE_PROMPT = {
  kind: 'confirm',
  title: 'Leave this page',
  text: 'Do you want to leave the Page? If you leave, the data will be lost.',
  confirm: 'Leave',
  cancel: 'Stay here',
  danger: true,
} as const

let allowed = false

/** The visitor has agreed to leave: nothing asks again before the page is gone. */
export function allowLeaving(): void {
  allowed = true
}

export function isLeavingAllowed(): boolean {
  return allowed
}
