export default function PhotoPage() {
  return <h1>Free Online Photo Repair</h1>
}
