#!/bin/sh
# Waits until the kernel has told of a device's carrier: its flags are shown afterwards. Argument: the device.
until /sbin/ip link show dev "$1" | grep -q 'state UP'; do sleep 0.1; done
