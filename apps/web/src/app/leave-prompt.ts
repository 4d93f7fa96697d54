/** Asked before the visitor leaves work that would be lost. */
export const LEAVE_PROMPT = {
  kind: 'confirm',
  title: 'Leave this page',
  text: 'Do you want to leave the Page? If you leave, the data will be lost.',
  confirm: 'Leave',
  cancel: 'Stay here',
  danger: true,
} as const
