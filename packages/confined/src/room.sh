# Builds a room over the folder $1 from the mounts that follow, then runs the command after `--` in it.
set -e
room=$1
shift
mount -t tmpfs -o mode=755,size=4m,nosuid,nodev room "$room"
while [ "$1" != -- ]; do
  kind=$1
  path=$2
  shift 2
  if [ "$kind" = link ]; then
    ln -s "$1" "$room$path"
    shift
    continue
  fi
  [ -e "$path" ] || continue
  if [ ! -e "$room$path" ]; then
    if [ -d "$path" ]; then
      mkdir -p "$room$path"
    else
      [ -d "$room${path%/*}" ] || mkdir -p "$room${path%/*}"
      : > "$room$path"
    fi
  fi
  case $kind in
    code) allowed=ro,nosuid,nodev ;;
    input) allowed=ro,nosuid,nodev,noexec ;;
    output) allowed=nosuid,nodev,noexec ;;
    device) allowed=nosuid,noexec ;;
  esac
  mount -o "bind,$allowed" "$path" "$room$path"
done
shift
mkdir -p "$room/proc"
mount -t proc -o nosuid,nodev,noexec proc "$room/proc"
mount -o remount,bind,ro,nosuid,nodev "$room"
exec chroot "$room" "$@"
