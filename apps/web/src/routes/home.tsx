import { RepairStage } from '../app/repair-stage.tsx'
import { brand } from '../shared/brand/brand.ts'

const TITLE = `Free Online Video Repair · ${brand.name}`
const DESCRIPTION =
  'Repair corrupt or unplayable MP4, MOV, AVI and other videos online. Upload the damaged file and a working sample, preview the result, and save it.'

export function meta() {
  return [
    { title: TITLE },
    { name: 'description', content: DESCRIPTION },
    { property: 'og:title', content: TITLE },
    { property: 'og:description', content: DESCRIPTION },
    { property: 'og:type', content: 'website' },
  ]
}

export default function HomePage() {
  return <RepairStage />
}
