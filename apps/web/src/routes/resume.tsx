import { ResumePage } from '../app/resume-page.tsx'
import { brand } from '../shared/brand/brand.ts'

export function meta() {
  return [{ title: `Continue your repair · ${brand.name}` }, { name: 'robots', content: 'noindex' }]
}

export default function ResumeRoute() {
  return <ResumePage />
}
